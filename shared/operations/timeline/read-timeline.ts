import { Invalid, NotFound } from '../../kernel/failures/faults.ts'
import { maxTimelinePage } from '../../kernel/limits/lists.ts'
import { permittedFields } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import { publicTable } from '../../kernel/table-names.ts'
import { nearestWord } from '../../kernel/text/did-you-mean.ts'
import type { RecordSight } from '../../messages/incoming-messages/hide-records.ts'
import { countFitting } from '../../platform/http/routing/answer-size.ts'
import { publicUrl } from '../../platform/http/routing/envelope.ts'
import type { Config } from '../../platform/store/config.ts'
import { readMergedRecords } from '../../platform/store/ranges/merged-records.ts'
import { readMergedInto, readRecordHead } from '../../platform/store/rows/record-row.ts'
import { readLatest } from '../../platform/store/rows/tombstone-row.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { HistoryDependencies } from '../../records/history/read-history.ts'
import { type Merged, mergeNewest, positionAfter } from './merge-newest.ts'
import {
  type TimelineAnswer,
  type TimelineEntry,
  type TimelineKind,
  timelineKinds,
  type TimelineQuery,
} from './schema.ts'
import { hiddenKinds, sourcesOf } from './sources-of.ts'
import { type AnySource, type FullEntry, readTimelineCursor, shorten, writeTimelineCursor } from './timeline-source.ts'

export interface TimelineDependencies extends HistoryDependencies, Pick<RecordSight, 'access'> {
  readonly config: Pick<Config, 'list'>
  /**
   * Throws NotFound when the viewer may not read the record, and says whether the viewer may update it; a deleted one is
   * judged by its last state. `rows`: the record and its tombstone.
   */
  readonly judge: (
    viewer: Viewer,
    model: string,
    id: number,
    rows: readonly (Item | null | undefined)[],
  ) => Promise<{ readonly mayUpdate: boolean }>
}

/**
 * A page of everything that happened to a record, newest first, as far as the viewer may see it. Throws NotFound, and
 * Invalid for an unknown kind or a cursor of another timeline.
 */
export async function readTimeline(
  timelines: TimelineDependencies,
  viewer: Viewer,
  model: string,
  id: number,
  query: TimelineQuery,
  rows: readonly (Item | null | undefined)[],
): Promise<TimelineAnswer> {
  const table = await timelines.tables.require(viewer.tenant, model)
  const kinds = chooseKinds(query.kinds)
  const latest = readLatest(rows[0], rows[1])
  if (!latest) throw new NotFound('record', { model, id })
  const { mayUpdate } = await timelines.judge(viewer, model, id, rows)
  const subject = {
    viewer,
    model,
    id,
    table,
    readable: permittedFields(viewer, model, 'read'),
    mayUpdate,
    isDeleted: !rows[0] || rows[0].deleted_at !== undefined,
    mergedInto: readMergedInto(rows[0]),
    merged: (await readMergedRecords(timelines.store, viewer.tenant, model, rows[0])).map(
      (item) => readRecordHead(item).id,
    ),
  }
  const hidden = hiddenKinds(subject)
  const pending: number[] = []
  const sources = sourcesOf(timelines, subject, latest, pending).filter(({ kind }) => kinds.includes(kind))
  const perPage = Math.min(query.per_page, maxTimelinePage)
  const list = `${model} ${id} ${kinds.join(',')}`
  const merged = await mergeNewest(
    sources,
    query.cursor ? readTimelineCursor(query.cursor, list, sources) : undefined,
    perPage,
  )
  const entries = await describe(merged)
  const shown = entries.slice(0, countFitting(entries))
  const position = positionAfter(merged, shown.length)
  const next = position ? writeTimelineCursor(position, list) : null
  return {
    success: true,
    data: shown,
    message: 'OK',
    meta: {
      per_page: perPage,
      next_cursor: next,
      hidden_kinds: kinds.filter((kind) => hidden.has(kind)),
      ...(pending.length > 0 && { pending }),
    },
    links: { next: next === null ? null : linkTo(publicTable(viewer.tenant, model), id, query.kinds, next, perPage) },
  }
}

/** The entries of a page: each source describes its own at once. */
async function describe({ taken }: Merged<AnySource>): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = []
  const bySource = Map.groupBy(taken.keys(), (index) => (taken[index] as (typeof taken)[number]).source)
  await Promise.all(
    [...bySource].map(async ([source, indexes]) => {
      const described = await source.describe(indexes.map((index) => taken[index]?.row))
      for (const [place, index] of indexes.entries()) entries[index] = shortened(source, described[place] as FullEntry)
    }),
  )
  return entries
}

function shortened({ kind }: AnySource, entry: FullEntry): TimelineEntry {
  const { at, id, user, summary, href } = entry
  const { data, isShortened } = shorten(entry.data)
  return {
    kind,
    at,
    id,
    ...(user && { user }),
    summary,
    data,
    ...((isShortened || entry.isShortened === true) && { is_shortened: true as const }),
    ...(href !== undefined && { href }),
  }
}

function linkTo(model: string, id: number, kinds: string | undefined, cursor: string, perPage: number): string {
  const query = new URLSearchParams({ ...(kinds !== undefined && { kinds }), cursor, per_page: String(perPage) })
  return `${publicUrl()}/api/e/${model}/${id}/timeline?${query}`
}

/** The kinds that `?kinds=` names; all without it. Throws Invalid naming the nearest word. */
function chooseKinds(kinds: string | undefined): readonly TimelineKind[] {
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
