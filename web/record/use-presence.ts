import { useEffect } from 'react'
import { enterRecord, leaveRecord } from '../api/presence.ts'

/** Who goes through many records is not shown in each of them. */
const firstAfterMs = 1500
const sayEveryMs = 25_000
/** So long after the last key somebody counts as writing. */
const editingMs = 60_000

/** Says that the reader looks at a record while its tab is visible, and that they write while they do. */
export function usePresence(model: string, id: number): void {
  useEffect(() => {
    let typedAt = 0
    let said: 'nothing' | 'here' | 'editing' = 'nothing'
    function say(): void {
      if (document.visibilityState !== 'visible') return
      const isEditing = Date.now() - typedAt < editingMs
      said = isEditing ? 'editing' : 'here'
      void enterRecord(model, id, isEditing)
    }
    function leave(): void {
      if (said !== 'nothing') leaveRecord(model, id)
      said = 'nothing'
    }
    function type({ target }: Event): void {
      if (!(target instanceof Element) || !target.closest('.record')) return
      typedAt = Date.now()
      if (said !== 'editing') say()
    }
    const look = (): void => (document.visibilityState === 'visible' ? say() : leave())
    const first = setTimeout(say, firstAfterMs)
    const timer = setInterval(say, sayEveryMs)
    document.addEventListener('input', type)
    document.addEventListener('visibilitychange', look)
    window.addEventListener('pagehide', leave)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
      document.removeEventListener('input', type)
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [model, id])
}
