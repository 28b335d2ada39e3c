import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useKeys } from '../keyboard/keyboard.tsx'

type Overlay = 'palette' | 'help'

let current: Overlay | undefined
const listeners = new Set<() => void>()

function show(overlay: Overlay | undefined): void {
  current = overlay
  for (const listener of listeners) listener()
}

/** Opens search and commands. */
export const openPalette = (): void => show('palette')
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
    const idle = setTimeout(() => void Promise.all([load.palette(), load.help()]), 500)
    return () => clearTimeout(idle)
  }, [])
  const close = (): void => show(undefined)
  return (
    <Suspense fallback={null}>
      {overlay === 'palette' && <Palette onClose={close} />}
      {overlay === 'help' && <Help onClose={close} />}
    </Suspense>
  )
}
