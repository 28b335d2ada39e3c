import type { Words } from '../words.ts'

export const parts: Words['parts'] = {
  loading: 'Wird geladen',
  close: 'Schließen',
  cancel: 'Abbrechen',
  undo: 'Rückgängig',
}
