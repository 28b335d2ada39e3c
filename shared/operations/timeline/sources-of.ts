import { mayOnTable } from '../../kernel/permissions.ts'
import { readsAllMessages } from '../../messages/incoming-messages/find-message.ts'
import type { RecordSight } from '../../messages/incoming-messages/hide-records.ts'
import type { Config } from '../../platform/store/config.ts'
import type { LatestVersion } from '../../platform/store/rows/tombstone-row.ts'
import type { HistoryDependencies } from '../../records/history/read-history.ts'
import type { TimelineKind } from './schema.ts'
import { changesOf } from './sources/changes.ts'
import { commentsOf } from './sources/comments.ts'
import { deliveriesOf } from './sources/deliveries.ts'
import { incidentsOf } from './sources/incidents.ts'
import { messagesOf } from './sources/messages.ts'
import { processOperationsOf } from './sources/process-operations.ts'
import { processStepsOf } from './sources/process-steps.ts'
import { scriptRunsOf } from './sources/script-runs.ts'
import type { AnySource, TimelineSubject } from './timeline-source.ts'

type Dependencies = HistoryDependencies & RecordSight & { readonly config: Pick<Config, 'list'> }

/** The kinds that a viewer may not see on a record. */
export function hiddenKinds({ viewer, readable, mayUpdate, isDeleted }: TimelineSubject): ReadonlySet<TimelineKind> {
  const hidden = new Set<TimelineKind>()
  if (viewer.isAdministrator) return hidden
  hidden.add('script')
  if (!mayUpdate) hidden.add('delivery')
  // As the lists of instances and tasks.
  if (isDeleted) hidden.add('process')
  // Rules put what a message says into fields, also into those that the viewer may not read.
  if (readable !== undefined && !readsAllMessages(viewer)) hidden.add('message')
  return hidden
}

/** What is shown with the record that a record was merged into, and no more with itself. */
const movedKinds: ReadonlySet<TimelineKind> = new Set(['comment', 'message'])

/** What a record that was merged into the subject brings along. */
function sourcesOfMerged(services: Dependencies, merged: TimelineSubject): readonly AnySource[] {
  const { store } = services
  const all: readonly AnySource[] = [
    ...(mayOnTable(merged.viewer, merged.model, 'comment_internal') ? [commentsOf(store, merged, true)] : []),
    commentsOf(store, merged, false),
    messagesOf(services, merged),
  ]
  return all.map((source) => ({ ...source, name: `${source.name} ${merged.id}` }))
}

/** The sources that a viewer may see, in the order of entries of one moment. */
export function sourcesOf(
  services: Dependencies,
  subject: TimelineSubject,
  latest: LatestVersion,
  pending: number[],
): readonly AnySource[] {
  const { store } = services
  const hidden = hiddenKinds(subject)
  const all: readonly AnySource[] = [
    deliveriesOf(store, subject),
    processStepsOf(services, subject),
    processOperationsOf(services, subject),
    incidentsOf(store, subject),
    scriptRunsOf(services, subject),
    ...(mayOnTable(subject.viewer, subject.model, 'comment_internal') ? [commentsOf(store, subject, true)] : []),
    commentsOf(store, subject, false),
    changesOf(services, subject, latest, pending),
    messagesOf(services, subject),
  ]
  const isMerged = subject.mergedInto !== undefined
  // The comments of a deleted record are kept for its return alone.
  const shown = all.filter(
    ({ kind }) => !(isMerged && movedKinds.has(kind)) && !(subject.isDeleted && kind === 'comment'),
  )
  return [...shown, ...subject.merged.flatMap((id) => sourcesOfMerged(services, { ...subject, id }))].filter(
    ({ kind }) => !hidden.has(kind),
  )
}
