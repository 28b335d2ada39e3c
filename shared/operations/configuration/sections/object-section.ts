import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import type { Principal } from '../../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import type { Section } from './section.ts'
import type { Named } from './sections.ts'
import { namesAdded, tablesToBe } from './tables-to-be.ts'

/** The administration of the objects of a section. */
interface Administration<T, Input, Deps> {
  allFresh(services: Deps, tenant: TenantRef): Promise<readonly T[]>
  nameOf(one: T): string
  documentOf(one: T): object
  missesOf(services: Deps, by: { readonly tenant: Tenant }, document: object): Promise<FieldErrors>
  complete<D extends object>(document: D, before: D | undefined): D
  create(services: Deps, caller: Principal, input: Input): Promise<unknown>
  change(services: Deps, caller: Principal, id: number, input: Input): Promise<unknown>
}

interface SectionParts<T, Document extends Named, Input> {
  /** Left out, a document is checked as the object is when it is saved, with the tables and names that there will be. */
  readonly openCheck?: Section<Document>['openCheck']
  readonly complete?: Section<Document>['complete']
  /** Members that documents do not have. */
  readonly without?: readonly string[]
  /** Describes stored objects without ids; what administrators set when left out. */
  readonly documentsOf?: (tenant: TenantRef, all: readonly T[]) => Promise<readonly Document[]> | readonly Document[]
  /** Finds the existing object of a document; by the names of all when left out. */
  readonly idOf?: (document: Document, tenant: TenantRef) => Promise<number | undefined>
  /** The document as the administration takes it; as it is when left out. */
  readonly inputOf?: (document: Document, tenant: TenantRef) => Promise<Input> | Input
}

interface WithTables {
  readonly tables: Pick<Tables, 'find' | 'all'>
}

/** Checks documents as the administration checks what it saves, with what there will be once the whole one is applied. */
const checkedAsSaved =
  <Deps>(object: Pick<Administration<never, never, Deps>, 'missesOf'>, services: Deps): Section<Named>['openCheck'] =>
  ({ tenant }, _existing, whole) => {
    // What names nothing of other sections finds no tables here, and needs none.
    const { find, all } = tablesToBe((services as Deps & WithTables).tables, tenant, whole)
    const tables = { find: (_tenant: Tenant, name: string) => find(name), all }
    const toBe = { ...services, tables, added: namesAdded(whole) }
    return Promise.resolve((document) => object.missesOf(toBe, { tenant }, document))
  }

/** A section of configured objects that are known by the name in their document. */
export function objectSection<T extends { readonly id: number }, Document extends Named, Input, Deps>(
  object: Administration<T, Input, Deps>,
  services: Deps,
  {
    openCheck = checkedAsSaved(object, services),
    without = [],
    complete = (document, before) => leave(object.complete(document, before), without),
    documentsOf = (_, all) => all.map((one) => leave(object.documentOf(one) as Document, without)),
    idOf = async ({ name }, tenant) =>
      (await object.allFresh(services, tenant)).find((one) => object.nameOf(one) === name)?.id,
    inputOf = (document) => document as unknown as Input,
  }: SectionParts<T, Document, Input> = {},
): Section<Document> {
  return {
    async read({ tenant }) {
      const documents = await documentsOf(tenant, await object.allFresh(services, tenant))
      return new Map(documents.map((document) => [document.name, document]))
    },
    complete,
    openCheck,
    async create(author, document) {
      await object.create(services, author, await inputOf(document, author.tenant))
    },
    async change(author, document) {
      const id = await idOf(document, author.tenant)
      if (id !== undefined) await object.change(services, author, id, await inputOf(document, author.tenant))
    },
  }
}

const leave = <D extends object>(document: D, without: readonly string[]): D =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !without.includes(name))) as D
