import { Fault, Invalid } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { differences } from '../../../platform/trail/difference.ts'
import type { ConfigurationDocument } from '../schema.ts'
import type { Author, Section } from '../sections/section.ts'
import { type Named, objectsIn, type SectionName, sectionNames, type Sections } from '../sections/sections.ts'

/** The next object: the number of its section, what is done there, and its place in the order of creation. */
export interface ApplyPlace {
  readonly section: number
  readonly pass: 'create' | 'change'
  readonly index: number
}
export const firstToApply: ApplyPlace = { section: 0, pass: 'create', index: 0 }

export interface Applied {
  /** Each object counts in both passes. */
  readonly worked: number
  /** Where to continue; null when everything is applied. */
  readonly next: ApplyPlace | null
}

/** The current tenant: what earlier writes changed must not be read from the cache. */
type FindTenant = (id: number) => Promise<Tenant | undefined>

/**
 * Creates what is missing of a checked document, and changes what differs, from `from` until time is up; at least one
 * object. Idempotent. Throws the Fault that refused a write, with the path of its object.
 */
export async function applyObjects(
  { sections, findTenant }: { readonly sections: Sections; readonly findTenant: FindTenant },
  author: Author,
  document: ConfigurationDocument,
  from: ApplyPlace,
  timeIsUp: () => boolean,
): Promise<Applied> {
  const names = sectionNames(sections)
  let worked = 0
  for (let at = from.section; at < names.length; at += 1) {
    const name = names[at] as SectionName
    const section: Section<Named> = sections[name]
    const given = objectsIn(document, name)
    if (given.length === 0) continue
    const ordered = section.inOrder?.(given) ?? given
    for (const pass of ['create', 'change'] as const) {
      if (at === from.section && from.pass === 'change' && pass === 'create') continue
      const start = at === from.section && pass === from.pass ? from.index : 0
      if (start >= ordered.length) continue
      if (worked > 0 && timeIsUp()) return { worked, next: { section: at, pass, index: start } }
      const tenant = (await findTenant(author.tenant.id)) ?? author.tenant
      const write = await openPass(section, pass, { ...author, tenant })
      for (let index = start; index < ordered.length; index += 1) {
        if (index > start && timeIsUp()) return { worked, next: { section: at, pass, index } }
        const one = ordered[index] as Named
        await write(one).catch((error: unknown) => {
          throw withPath(error, `${name}.${one.name}`)
        })
        worked += 1
      }
    }
  }
  return { worked, next: null }
}

/** Reads the existing objects once; answers what writes one of the document. */
async function openPass(
  section: Section<Named>,
  pass: ApplyPlace['pass'],
  author: Author,
): Promise<(document: Named) => Promise<void>> {
  const existing = await section.read(author)
  const names = new Set(existing.keys())
  if (pass === 'create')
    return async (document) => {
      if (names.has(document.name)) return
      await section.create(author, section.complete(document, undefined), names)
      names.add(document.name)
    }
  return async (document) => {
    const before = existing.get(document.name)
    const whole = section.complete(document, before)
    const compared = (before && section.comparable?.(whole, before)) ?? whole
    if (differences(before, compared).length > 0) await section.change(author, whole, names)
  }
}

/** A refusal that the check could not foresee: what it says is about this object. */
function withPath(error: unknown, path: string): unknown {
  if (error instanceof Invalid)
    return new Invalid(
      Object.fromEntries(Object.entries(error.problems).map(([at, messages]) => [`${path}.${at}`, messages])),
      {
        code: error.code,
        message: `${path}: ${error.message}`,
        ...(error.details && { details: error.details }),
        cause: error,
      },
    )
  return error instanceof Fault
    ? new Fault(error.code, `${path}: ${error.message}`, {
        ...(error.details && { details: error.details }),
        cause: error,
      })
    : error
}
