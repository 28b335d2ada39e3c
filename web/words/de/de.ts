import type { FirstWords } from '../words.ts'
import { bell } from './bell.ts'
import { bulk } from './bulk.ts'
import { failures } from './failures.ts'
import { fields } from './fields.ts'
import { macros } from './macros.ts'
import { myWork } from './my-work.ts'
import { operators } from './operators.ts'
import { palette } from './palette.ts'
import { parts } from './parts.ts'
import { queue } from './queue.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { standardFields } from './standard-fields.ts'
import { views } from './views.ts'

export const de: FirstWords = {
  bell,
  bulk,
  failures,
  fields,
  macros,
  myWork,
  operators,
  palette,
  parts,
  queue,
  shell,
  signIn,
  standardFields,
  views,
}
