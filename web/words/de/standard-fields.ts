import type { Words } from '../words.ts'

export const standardFields: Words['standardFields'] = {
  id: 'Nr.',
  created_at: 'Erstellt',
  updated_at: 'Geändert',
  created_by: 'Erstellt von',
  updated_by: 'Geändert von',
  conversation_awaits: 'Wartet auf',
  conversation_last_at: 'Letzte Nachricht',
  side_team: 'uns',
  side_customer: 'Kunde',
}
