import { textType } from './text-type.ts'

export const textarea = textType({ description: 'A text of several lines.', searchWeight: 10 })
