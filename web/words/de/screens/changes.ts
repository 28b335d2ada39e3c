import type { Words } from '../../words.ts'

export const changes: Words['changes'] = {
  create: 'hat diesen Datensatz angelegt',
  update: 'hat diesen Datensatz geändert',
  delete: 'hat diesen Datensatz gelöscht',
  restore: 'hat diesen Datensatz wiederhergestellt',
  into: 'hat diesen Datensatz mit {{id}} zusammengeführt',
  from: 'hat {{id}} mit diesem Datensatz zusammengeführt',
  unmerged_from: 'hat die Zusammenführung mit {{id}} aufgehoben',
  unmerged: 'hat die Zusammenführung von {{id}} aufgehoben',
  split_into: 'hat Kommentare nach {{id}} abgetrennt',
  split_from: 'hat diesen Datensatz aus Kommentaren von {{id}} gemacht',
}
