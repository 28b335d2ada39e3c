import type { Words } from '../words.ts'

export const palette: Words['palette'] = {
  open: 'Suche und Befehle',
  placeholder: 'Suchen oder springen zu …',
  actions: 'Gehe zu',
  create: 'Neu in {{table}}',
  inConversation: 'im Gespräch',
  empty: 'Nichts gefunden. Versuchen Sie andere Wörter.',
}
