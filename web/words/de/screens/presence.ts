import type { Words } from '../../words.ts'

export const presence: Words['presence'] = {
  title: 'Wer noch hier ist',
  isHere: '{{name}} ist auch hier.',
  isEditing: '{{name}} schreibt hier gerade.',
}
