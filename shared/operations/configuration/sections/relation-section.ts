import type { FieldErrors } from '../../../kernel/faults.ts'
import { byName } from '../../../kernel/own-members.ts'
import { createRelation, relationOf, type RelationDependencies } from '../../../records/relations/service.ts'
import type { Tables } from '../../../tables/tables/service.ts'
import type { RelationConfiguration } from '../schema.ts'
import type { Section } from './section.ts'
import { tablesToBe } from './tables-to-be.ts'

/** The relations of a configuration, by name. */
export function relationSection(
  deps: RelationDependencies & { readonly tables: Pick<Tables, 'find' | 'all'> },
): Section<RelationConfiguration> {
  return {
    async read({ tenant }) {
      const rows = (await deps.config.listFresh(tenant, 'RELATION')).map(relationOf)
      return new Map(rows.map(({ name, l_table, r_table }) => [name, { name, l_table, r_table }]))
    },
    complete: ({ name, l_table, r_table }) => ({ name, l_table, r_table }),
    async openCheck({ tenant }, existing, whole) {
      const { find } = tablesToBe(deps.tables, tenant, whole)
      return async (relation) => {
        const before = existing.get(relation.name)
        const errors: FieldErrors = byName()
        for (const side of ['l_table', 'r_table'] as const) {
          if (before && before[side] !== relation[side])
            errors[side] = ['The tables of a relation cannot change: create another relation.']
          else if (!before && !(await find(relation[side]))) errors[side] = [`There is no table ${relation[side]}.`]
        }
        return errors
      }
    },
    async create(author, relation) {
      await createRelation(deps, author, relation)
    },
    async change() {
      throw new Error('a document cannot change a relation')
    },
  }
}
