import type { FieldErrors } from '../kernel/faults.ts'
import { createRelation, relationOf, type RelationDependencies } from '../relations/service.ts'
import type { RelationConfiguration } from './schema.ts'
import type { Section } from './section.ts'

/** The relations of a configuration, by name. */
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
          errors[`${index}.l_table`] = ['The tables of a relation cannot change: create another relation.']
        if (before && before.r_table !== r_table)
          errors[`${index}.r_table`] = ['The tables of a relation cannot change: create another relation.']
      })
      return errors
    },
    async create(caller, relation) {
      await createRelation(deps, caller, relation)
    },
    async change() {
      throw new Error('a document cannot change a relation')
    },
  }
}
