import { Invalid } from '../../kernel/failures/faults.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { orgTreeKey } from '../../platform/store/keys/records.ts'
import { readRecordRange } from '../../platform/store/ranges/record-range.ts'
import { isLiving, readRecordData } from '../../platform/store/rows/record-row.ts'
import { asStored } from '../../platform/store/rows/stored-names.ts'
import { readSequence } from '../../platform/store/sequence/sequence.ts'
import type { Store, Write } from '../../platform/store/store.ts'
import {
  orgUnitsTable,
  parentField,
  parentProblem,
  type Parents,
  readTreeRevision,
  type Tree,
  treeChanged,
  treeOf,
} from './tree.ts'

/** For how many tenants one function instance keeps the tree. */
const keptTenants = 200

export type OrgTree = ReturnType<typeof createOrgTree>

/** A tree, and its revision when it was read; undefined before the first change. */
interface ReadTree {
  readonly revision: string | undefined
  readonly tree: Promise<Tree>
}

/**
 * The tree of organisational units of each tenant, as `parent_id` makes it. Kept until its revision changes: every use
 * reads one row, so a change takes effect with the next request (docs/decisions/0051).
 */
export function createOrgTree({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'get' | 'query'>
  readonly clock: { uuid(): string }
}) {
  const kept = new Map<number, ReadTree>()

  async function read(tenant: TenantRef): Promise<{ revision: string | undefined; tree: Tree }> {
    const revision = readTreeRevision(await store.get(tenant, orgTreeKey(tenant)))
    const known = kept.get(tenant.id)
    if (known && known.revision === revision) return { revision, tree: await known.tree }
    kept.delete(tenant.id)
    for (const oldest of kept.keys()) {
      if (kept.size < keptTenants) break
      kept.delete(oldest)
    }
    const reading = { revision, tree: readParents(store, tenant).then(treeOf) }
    kept.set(tenant.id, reading)
    reading.tree.catch(() => kept.get(tenant.id) === reading && kept.delete(tenant.id))
    return { revision, tree: await reading.tree }
  }

  /** These units and all below them, each once. */
  async function withDescendants(tenant: TenantRef, units: readonly number[]): Promise<readonly number[]> {
    return units.length === 0 ? units : (await read(tenant)).tree.withDescendants(units)
  }

  /** Throws Invalid when a new unit would be nested too deeply under `parent`. */
  async function requireRoom(tenant: TenantRef, parent: number): Promise<void> {
    refuse(parentProblem((await read(tenant)).tree, undefined, parent))
  }

  /**
   * The write that goes with a unit's move under `parent`, or to the top. Its condition fails when the tree has changed
   * meanwhile: then ask again. Throws Invalid when the move would make a circle or nest units too deeply.
   */
  async function move(tenant: TenantRef, id: number, parent: number | null): Promise<Write> {
    const { revision, tree } = await read(tenant)
    if (parent !== null) refuse(parentProblem(tree, id, parent))
    return treeChanged(tenant, clock.uuid(), { since: revision })
  }

  /** The write that goes with a unit's delete; its condition as in `move`. Throws Invalid while units are below it. */
  async function leave(tenant: TenantRef, id: number): Promise<Write> {
    const { revision, tree } = await read(tenant)
    if (tree.childrenOf(id).length > 0)
      throw new Invalid(
        { [`${orgUnitsTable}.${parentField}`]: ['The unit has units below it. Move or delete them first.'] },
        { code: 'in_use', message: 'The record is still in use.' },
      )
    return treeChanged(tenant, clock.uuid(), { since: revision })
  }

  /** The write that goes with new units: they make no circle, so it has no condition. */
  const grow = (tenant: TenantRef): Write => treeChanged(tenant, clock.uuid())

  return { withDescendants, requireRoom, move, leave, grow }
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new Invalid({ [parentField]: [problem] })
}

async function readParents(store: Pick<Store, 'get' | 'query'>, tenant: TenantRef): Promise<Parents> {
  const { last } = await readSequence(store, tenant, orgUnitsTable)
  const items = await readRecordRange(store, tenant, {
    model: orgUnitsTable,
    from: 1,
    to: last,
    livingOnly: true,
    attributes: ['pk', 'sk', 'data', 'deleted_at', 'merged_into'],
  })
  return new Map(
    items.flatMap((item) => {
      const parent = isLiving(item) ? readRecordData(item, asStored)[parentField] : undefined
      return typeof parent === 'number' ? [[Number(item.sk), parent] as const] : []
    }),
  )
}
