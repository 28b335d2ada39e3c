import type { LaterWords } from '../words.ts'
import { articles } from './articles.ts'
import { categories } from './categories.ts'
import { changes } from './changes.ts'
import { composer } from './composer.ts'
import { conflict } from './conflict.ts'
import { incoming } from './incoming.ts'
import { links } from './links.ts'
import { merge } from './merge.ts'
import { operations } from './operations.ts'
import { past } from './past.ts'
import { portal } from './portal.ts'
import { presence } from './presence.ts'
import { process } from './process.ts'
import { profile } from './profile.ts'
import { record } from './record.ts'
import { related } from './related.ts'
import { snooze } from './snooze.ts'
import { split } from './split.ts'
import { tasks } from './tasks.ts'
import { timeline } from './timeline.ts'
import { unsent } from './unsent.ts'
import { watchers } from './watchers.ts'

export const later: LaterWords = {
  articles,
  categories,
  changes,
  composer,
  conflict,
  incoming,
  links,
  merge,
  operations,
  past,
  portal,
  presence,
  process,
  profile,
  record,
  related,
  snooze,
  split,
  tasks,
  timeline,
  unsent,
  watchers,
}
