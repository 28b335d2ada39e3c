import type { Principal } from '../../kernel/principal.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { documentWithTableNames } from '../http/table-names/translate-names.ts'
import type { Write } from '../store/store.ts'
import { documentChanges, trailEvent } from './trail-event.ts'

/** A configuration object that was created (no `before`), changed, or deleted (no `after`). */
export interface ConfigurationChange<T> {
  readonly model: string
  readonly before: T | undefined
  readonly after: T | undefined
  /** By what people know the object. */
  readonly nameOf: (one: T) => string
  /** What administrators set of it, without secrets. */
  readonly documentOf: (one: T) => object
}

/** The event of a change of configuration, for the transaction of the change. */
export function configurationEvent<T extends { readonly id: number; readonly version: number }>(
  clock: Pick<Clock, 'now' | 'uuid'>,
  by: Principal,
  { model, before, after, nameOf, documentOf }: ConfigurationChange<T>,
): Write {
  const one = (after ?? before) as T
  const shown = (document: object): object => documentWithTableNames(by.tenant, document)
  return trailEvent(clock, by.tenant, by, {
    action: !before ? 'create' : after ? 'update' : 'delete',
    model,
    id: one.id,
    name: nameOf(one),
    version: one.version,
    changes: documentChanges(before && shown(documentOf(before)), after && shown(documentOf(after))),
  })
}
