import type { Words } from '../words.ts'

export const changes: Words['changes'] = {
  create: 'hat diesen Datensatz angelegt',
  update: 'hat diesen Datensatz geändert',
  delete: 'hat diesen Datensatz gelöscht',
  restore: 'hat diesen Datensatz wiederhergestellt',
}
