import * as z from 'zod'
import { maxLinksPerCall, maxRelationNameCharacters } from '../../kernel/limits/relations.ts'
import { readOnly, stamps } from '../../platform/configured-objects/schema.ts'
import { TableRelation } from '../../tables/tables/schema.ts'

const Name = z
  .string()
  .trim()
  .min(1)
  .max(maxRelationNameCharacters)
  .refine((name) => !/\p{Cc}/u.test(name), { error: 'The name may not hold control characters.' })
const TableName = z.string()

export const RelationAnswer = TableRelation.extend(stamps)
export type RelationAnswer = z.output<typeof RelationAnswer>

export const RelationInput = z.strictObject({
  ...readOnly,
  name: Name,
  l_table: TableName,
  r_table: TableName,
})
export type RelationInput = z.output<typeof RelationInput>

export const RelationChange = RelationInput.partial()
export type RelationChange = z.output<typeof RelationChange>

export const TablePosition = z.enum(['l_table', 'r_table'])
export type TablePosition = z.output<typeof TablePosition>

const Ids = z.array(z.int().min(1)).max(maxLinksPerCall)
export const LinkBody = z.strictObject({ ids: Ids })
/** Without `ids` every link is removed. Unknown keys are an error, so that a typo never means "all". */
export const UnlinkBody = z.strictObject({ ids: Ids.optional() }).optional()

export const LinkResult = z.object({ added: z.array(z.int()), existing: z.array(z.int()) })
export type LinkResult = z.output<typeof LinkResult>
export const UnlinkResult = z.object({ removed: z.int() })
