import type { Words } from '../words.ts'

export const fields: Words['fields'] = {
  yes: 'Ja',
  no: 'Nein',
  me: 'Ich',
  addFile: 'Dateien hinzufügen',
  removeFile: '{{name}} entfernen',
  uploading: 'Wird hochgeladen …',
  notJson: 'Das ist noch kein gültiges JSON.',
}
