import { Invalid } from '../../kernel/failures/faults.ts'
import { nearestWord } from '../../kernel/text/nearest-word.ts'
import { type TimelineKind, timelineKinds } from './schema.ts'

/** The kinds that `?kinds=` names; all without it. Throws Invalid naming the nearest word. */
export function chooseKinds(kinds: string | undefined): readonly TimelineKind[] {
  const named = (kinds ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (named.length === 0) return timelineKinds
  const problems = named.filter((word) => !isKind(word)).map(problemOf)
  if (problems.length > 0) throw new Invalid({ kinds: problems })
  return timelineKinds.filter((kind) => named.includes(kind))
}

const isKind = (word: string): word is TimelineKind => (timelineKinds as readonly string[]).includes(word)

function problemOf(word: string): string {
  const meant = nearestWord(word, timelineKinds)
  return `There is no kind ${word.slice(0, 50)}. ${meant === undefined ? `There are ${timelineKinds.join(', ')}.` : `Did you mean ${meant}?`}`
}
