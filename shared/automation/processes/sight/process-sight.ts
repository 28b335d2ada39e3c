import { own } from '../../../kernel/collections/own-members.ts'
import { permittedFields } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import { standardFieldsByName } from '../../../lists/query/grammar/field.ts'
import { instanceKey } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { CompiledProcess } from '../../bpmn/shapes/compiled-process.ts'
import { anything, type ProcessReads, type Read } from '../../bpmn/shapes/reads.ts'
import { headAttributes, type Instance, readInstanceHead } from '../rows/instance-row.ts'
import { processReads } from '../templates/template.ts'

/** What a reader whom field rules limit does not see of an instance: what a field went into that they may not read. */
export interface Sight {
  /** Whether it hides a variable. */
  hidesVariable(name: string): boolean
  /** Whether it hides what an element shows: `name`, `due_at`, `form.<field>`, `message`, ... (`ProcessReads.texts`). */
  hides(elementId: string, what: string): boolean
  /** Whether it hides what nobody can tell: what failed in a step as a whole, and in other instances. */
  readonly hidesUnknown: boolean
}

/** What hides nothing. */
export const wholeSight: Sight = { hidesVariable: () => false, hides: () => false, hidesUnknown: false }

/** What is not known is hidden: the version was saved before this was kept, or nobody knows the element. */
const noSight: Sight = { hidesVariable: () => true, hides: () => true, hidesUnknown: true }

type Judged = Pick<CompiledProcess, 'reads' | 'elements'>

/** What a viewer sees of an instance; all of it without field rules on its table. */
export function sightOf(viewer: Viewer, { model, reads }: Pick<Instance, 'model' | 'reads'>, compiled: Judged): Sight {
  const readable = permittedFields(viewer, model, 'read')
  return readable === undefined ? wholeSight : sightOver(readable, compiled, reads)
}

function sightOver(readable: ReadonlySet<string>, { reads, elements }: Judged, more?: ProcessReads): Sight {
  if (reads === undefined) return noSight
  const known = [reads, ...(more ? [more] : [])]
  const ids = [...new Set(known.flatMap(({ texts }) => Object.keys(texts)))]
  const ofVariable = (name: string): readonly Read[] =>
    known.flatMap(({ variables }) => [own(variables, name), own(variables, '*')].flatMap((some) => some ?? []))
  const ofText = (id: string, what: string): readonly Read[] =>
    known.flatMap(({ texts }) => {
      const shown = own(texts, id) ?? {}
      return [own(shown, what), own(shown, '*')].flatMap((some) => some ?? [])
    })
  const ofAll = (what: string): readonly Read[] => ids.flatMap((id) => ofText(id, what))
  /** What goes into what a value reads; a field is the last. */
  const behind = (kind: string, name: string): readonly Read[] => {
    switch (kind) {
      case 'variables':
        return ofVariable(name)
      case 'tasks':
        return name === '*' ? ofAll('data') : ofText(name, 'data')
      case 'decided':
        // A step that an older version took has not noted it.
        return known.some(({ texts }) => own(own(texts, name) ?? {}, 'decided')) ? ofText(name, 'decided') : anything
      case 'names':
        return ofAll('name')
      case 'items':
        return ofAll('item')
      default:
        return []
    }
  }
  const isHidden = (first: readonly Read[]): boolean => {
    const all = new Set(first)
    // A set is walked with what is added meanwhile.
    for (const read of all) {
      const [kind = '', ...rest] = read.split('.')
      const name = rest.join('.')
      if (kind === '*' || (kind === 'record' && !readable.has(name) && !standardFieldsByName.has(name))) return true
      for (const one of behind(kind, name)) all.add(one)
    }
    return false
  }
  return {
    hidesVariable: (name) => isHidden(ofVariable(name)),
    hides(id, what) {
      if (what === 'decided') return isHidden([`decided.${id}`])
      return Object.hasOwn(elements, id) || ids.includes(id) ? isHidden(ofText(id, what)) : true
    },
    hidesUnknown: true,
  }
}

/** Whether field rules hide fields of a table from a viewer. Without any nothing is read to find out what they see. */
export const hasHiddenFields = (viewer: Pick<Viewer, 'isAdministrator' | 'grants'>, model: string): boolean =>
  permittedFields(viewer, model, 'read') !== undefined

/** What a viewer whom field rules limit sees of each of some instances about records of a table. */
export async function readSights(
  store: Pick<Store, 'get' | 'getMany'>,
  viewer: Viewer,
  model: string,
  instanceIds: readonly number[],
): Promise<(instanceId: number) => Sight> {
  if (!hasHiddenFields(viewer, model)) return () => wholeSight
  const { tenant } = viewer
  const readsOf = processReads(store)
  const keys = [...new Set(instanceIds)].map((id) => instanceKey(tenant, id))
  const items = keys.length === 0 ? [] : await store.getMany(tenant, keys, headAttributes)
  const sights = new Map(
    await Promise.all(
      items
        .filter((item) => item !== undefined)
        .map(async (item) => {
          const instance = readInstanceHead(item)
          const reads = await readsOf(tenant, instance.templateId, instance.templateVersion)
          return [instance.id, sightOf(viewer, instance, reads)] as const
        }),
    ),
  )
  return (id) => sights.get(id) ?? noSight
}
