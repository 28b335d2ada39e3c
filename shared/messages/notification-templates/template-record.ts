import { standardFieldsByName } from '../../lists/query/grammar/field.ts'

/** A record as every template has it: `{{record.title}}` and `{{record.data.title}}` are the same. `flat`: without `data`. */
export const templateRecord = (flat: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  data: Object.fromEntries(Object.entries(flat).filter(([name]) => !standardFieldsByName.has(name))),
  ...flat,
})
