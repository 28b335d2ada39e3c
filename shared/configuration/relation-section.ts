import type { FieldErrors } from '../kernel/faults.ts'
import { createRelation, relationOf, type RelationDependencies } from '../relations/service.ts'
import type { RelationConfiguration } from './schema.ts'
import type { Section } from './section.ts'

/** Relations: told by name, between tables told by name. */
export function relationSection(deps: RelationDependencies): Section<RelationConfiguration> {
  return {
    async read({ tenant }) {
      const rows = (await deps.config.listFresh(tenant, 'RELATION')).map(relationOf)
      return new Map(rows.map(({ name, l_table, r_table }) => [name, { name, l_table, r_table }]))
    },
    complete: ({ name, l_table, r_table }) => ({ name, l_table, r_table }),
    async check(_caller, documents, existing) {
      const errors: FieldErrors = {}
      documents.forEach(({ name, l_table, r_table }, index) => {
        const before = existing.get(name)
        if (before && before.l_table !== l_table)
          errors[`${index}.l_table`] = ['A relation keeps its tables: make another one.']
        if (before && before.r_table !== r_table)
          errors[`${index}.r_table`] = ['A relation keeps its tables: make another one.']
      })
      return errors
    },
    async create(caller, relation) {
      await createRelation(deps, caller, relation)
    },
    async change() {
      throw new Error('a relation has nothing that a document could change')
    },
  }
}
