import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useKeys } from '../keyboard/keyboard.tsx'
import { holdKeys, takeKeys } from './held-keys.ts'

type Overlay = 'palette' | 'help'

let current: Overlay | undefined
const listeners = new Set<() => void>()

function show(overlay: Overlay | undefined): void {
  current = overlay
  for (const listener of listeners) listener()
}

/** Opens search and commands. What is typed before its field has the focus is held for it. */
export function openPalette(): void {
  if (current !== 'palette') holdKeys(() => show(undefined))
  show('palette')
}
/** Shows which keys work on this screen. */
export const openHelp = (): void => show('help')

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const load = { palette: () => import('./palette.tsx'), help: () => import('./help.tsx') }
const Palette = lazy(load.palette)
const Help = lazy(load.help)

/** What opens over every screen. It is loaded once the first screen stands, so that it is there when somebody opens it. */
export function Overlays() {
  const { t } = useTranslation()
  const overlay = useSyncExternalStore(subscribe, () => current)
  useKeys([
    { keys: 'mod+k', label: t('palette.open'), run: openPalette, inFields: true },
    { keys: '?', label: t('shell.keys'), run: openHelp },
  ])
  useEffect(() => {
    const preload = (): void => void Promise.all([load.palette(), load.help()]).catch(() => undefined)
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback === 'undefined') {
      const soon = setTimeout(preload, 500)
      return () => clearTimeout(soon)
    }
    const idle = requestIdleCallback(preload, { timeout: 500 })
    return () => cancelIdleCallback(idle)
  }, [])
  const close = (): void => {
    takeKeys()
    show(undefined)
  }
  return (
    <Suspense fallback={null}>
      {overlay === 'palette' && <Palette onClose={close} />}
      {overlay === 'help' && <Help onClose={close} />}
    </Suspense>
  )
}
