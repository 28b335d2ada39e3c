import type { Words } from '../words.ts'
import { articles } from './articles.ts'
import { bell } from './bell.ts'
import { bulk } from './bulk.ts'
import { categories } from './categories.ts'
import { changes } from './changes.ts'
import { composer } from './composer.ts'
import { conflict } from './conflict.ts'
import { failures } from './failures.ts'
import { fields } from './fields.ts'
import { incoming } from './incoming.ts'
import { macros } from './macros.ts'
import { merge } from './merge.ts'
import { myWork } from './my-work.ts'
import { operators } from './operators.ts'
import { palette } from './palette.ts'
import { parts } from './parts.ts'
import { past } from './past.ts'
import { portal } from './portal.ts'
import { presence } from './presence.ts'
import { process } from './process.ts'
import { profile } from './profile.ts'
import { queue } from './queue.ts'
import { record } from './record.ts'
import { related } from './related.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { snooze } from './snooze.ts'
import { split } from './split.ts'
import { standardFields } from './standard-fields.ts'
import { timeline } from './timeline.ts'
import { views } from './views.ts'
import { watchers } from './watchers.ts'

export const de: Words = {
  articles,
  bell,
  bulk,
  categories,
  changes,
  composer,
  conflict,
  failures,
  fields,
  incoming,
  macros,
  merge,
  myWork,
  operators,
  palette,
  parts,
  past,
  portal,
  presence,
  process,
  profile,
  queue,
  record,
  related,
  shell,
  signIn,
  snooze,
  split,
  standardFields,
  timeline,
  views,
  watchers,
}
