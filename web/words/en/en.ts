import { bell } from './bell.ts'
import { bulk } from './bulk.ts'
import { categories } from './categories.ts'
import { changes } from './changes.ts'
import { conflict } from './conflict.ts'
import { failures } from './failures.ts'
import { fields } from './fields.ts'
import { operators } from './operators.ts'
import { palette } from './palette.ts'
import { parts } from './parts.ts'
import { profile } from './profile.ts'
import { queue } from './queue.ts'
import { record } from './record.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { standardFields } from './standard-fields.ts'
import { views } from './views.ts'

/** The words of the app: a file per screen or folder, with the same keys in every language. */
export const en = {
  bell,
  bulk,
  categories,
  changes,
  conflict,
  failures,
  fields,
  operators,
  palette,
  parts,
  profile,
  queue,
  record,
  shell,
  signIn,
  standardFields,
  views,
} as const
