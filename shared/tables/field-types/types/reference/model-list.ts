import * as z from 'zod'
import { didYouMean } from '../../../../kernel/text/did-you-mean.ts'
import { defineFieldType, type FieldWith } from '../../declaration.ts'
import { referenceType } from './reference-type.ts'

const properties = {
  target_table: z.string().optional(),
  on_delete: z.enum(['keep', 'restrict', 'set_null']).optional(),
}

export const modelList = defineFieldType({
  ...referenceType<FieldWith<typeof properties>>(({ target_table }) => `a record in ${target_table}`),
  description: 'The id of a record of the table `target_table`.',
  properties,
  lasting: { target_table: 'target' },
  checkField({ target_table }, at, list, tables) {
    if (!target_table) list.add(`${at}.target_table`, `The ${at}.target_table field is required.`)
    else if (!tables.has(target_table))
      list.add(`${at}.target_table`, `There is no table ${target_table}.${didYouMean(target_table, tables)}`)
  },
  refersToTable: ({ target_table }) => target_table,
  onDelete: ({ on_delete = 'keep' }) => on_delete,
})
