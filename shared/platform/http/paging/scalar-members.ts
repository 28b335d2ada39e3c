import * as z from 'zod'
import { unwrapped } from '../routing/input/known-names.ts'

/** The members of an answer that hold one value, by which lists sort, and those of them that are texts, in which they search. */
interface ScalarMembers {
  readonly all: readonly string[]
  readonly texts: readonly string[]
}

/** The members of one value of an answer, or of each answer of a union. */
export function scalarMembers(answer: z.ZodType): ScalarMembers {
  const schema = unwrapped(answer)
  if (schema instanceof z.ZodUnion) {
    const each = schema.options.map((option) => scalarMembers(option as z.ZodType))
    return { all: distinct(each.map(({ all }) => all)), texts: distinct(each.map(({ texts }) => texts)) }
  }
  if (!(schema instanceof z.ZodObject)) return { all: [], texts: [] }
  const members = Object.entries(schema.shape).map(([name, member]) => [name, unwrapped(member as z.ZodType)] as const)
  return {
    all: members.filter(([, member]) => isScalar(member)).map(([name]) => name),
    texts: members.filter(([, member]) => isText(member)).map(([name]) => name),
  }
}

const isScalar = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodString ||
  schema instanceof z.ZodStringFormat ||
  schema instanceof z.ZodNumber ||
  schema instanceof z.ZodBoolean ||
  schema instanceof z.ZodEnum

/** A text that people write, and no point in time. */
const isText = (schema: z.ZodType): boolean =>
  (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) && schema.meta()?.format !== 'date-time'

const distinct = (lists: readonly (readonly string[])[]): readonly string[] => [...new Set(lists.flat())]
