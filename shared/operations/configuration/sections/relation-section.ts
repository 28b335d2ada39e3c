import { byName } from '../../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import { thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { relationObjects } from '../../../records/relations/administer-relations.ts'
import type { RelationDependencies } from '../../../records/relations/dependencies.ts'
import type { RelationInput } from '../../../records/relations/schema.ts'
import type { RelationConfiguration } from '../schema.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'
import { tablesToBe } from './tables-to-be.ts'

type StoredRelation = Awaited<ReturnType<typeof relationObjects.find>>

/** The relations of a configuration, by name. */
export const relationSection = (relations: RelationDependencies): Section<RelationConfiguration> =>
  objectSection<StoredRelation, RelationConfiguration, RelationInput, RelationDependencies>(
    relationObjects,
    relations,
    {
      async openCheck({ tenant }, existing, whole) {
        const { find, names } = tablesToBe(relations.tables, tenant, whole)
        return async (relation) => {
          const before = existing.get(relation.name)
          const errors: FieldErrors = byName()
          for (const side of ['l_table', 'r_table'] as const) {
            if (before && before[side] !== relation[side])
              errors[side] = ['The tables of a relation cannot change: create another relation.']
            else if (!before && !(await find(relation[side])))
              errors[side] = [`The selected ${side} is invalid: ${thereIsNo('table', relation[side], await names())}`]
          }
          return errors
        }
      },
    },
  )
