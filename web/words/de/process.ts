import type { Words } from '../words.ts'

export const process: Words['process'] = {
  title: 'Prozesse',
  key: 'Den Prozess zeigen',
  picture: 'Bild von {{name}}',
  waits: 'Wartet auf',
  timer: 'wartet bis',
  message: 'wartet auf die Nachricht',
  signal: 'wartet auf das Signal',
  condition: 'wartet auf eine Bedingung',
  failed: 'gescheitert',
  running: 'läuft',
  completed: 'abgeschlossen',
  cancelled: 'abgebrochen',
  incident: 'gescheitert, braucht Hilfe',
  suspended: 'angehalten',
}
