import * as z from 'zod'
import { Forbidden } from '../../../kernel/failures/faults.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { defineJob, type JobKind, type JobRun, type JobStep } from '../../../platform/jobs/define-job.ts'
import {
  type Archive,
  type ArchivedEntry,
  ArchiveState,
  beginArchive,
  openArchive,
} from '../../../platform/objects/archive.ts'
import type { LargeObjects } from '../../../platform/objects/large-objects.ts'
import type { ObjectListing } from '../../../platform/objects/object-listing.ts'
import type { TenantExport } from '../schema.ts'
import { archivePages, type Counts } from './archive-pages.ts'
import { exportSources, type SourceDependencies } from './export-sources.ts'
import { Cursor, type Source, type SourcePage } from './source.ts'
import { exportJobKind } from './start-export.ts'

const validSeconds = 3600

/** The sources that are still to be read, the cursor of the first of them, and the archive so far. */
const State = z.object({
  archive: ArchiveState,
  sources: z.array(z.string()),
  cursor: Cursor.nullable(),
  counts: z.record(z.string(), z.object({ rows: z.int(), files: z.int() })),
  contents: z.int(),
  checksums: z.array(z.object({ name: z.string(), sha256: z.string() })),
})
type State = z.output<typeof State>

interface Dependencies extends SourceDependencies {
  readonly files: LargeObjects
  readonly listing: Pick<ObjectListing, 'list' | 'read'>
  readonly putObject: (key: string, body: Uint8Array) => Promise<void>
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  /** The starter of the job with its current rights; undefined when that account is disabled. */
  readonly findViewer: (tenant: Tenant, userId: number) => Promise<Viewer | undefined>
}

/**
 * Writes everything of a tenant into one ZIP archive (docs/decisions/0053). A step ends between two pages of a source,
 * and stores the unfinished archive; the next one continues it. Fails when its starter is no administrator any more.
 */
export const tenantExportJob = (services: Dependencies): JobKind =>
  defineJob<z.ZodType, State>(exportJobKind, z.object({}), async (run, _input, saved) => {
    const viewer = await services.findViewer(run.tenant, run.actor.userId)
    if (!viewer?.isAdministrator)
      throw new Forbidden('forbidden', 'The user who started this export is no administrator any more.')
    const sources = await exportSources(services, run.tenant)
    const state = saved
      ? State.parse(saved)
      : await begin(
          services,
          run,
          sources.map(({ name }) => name),
        )
    const archive = await openArchive(
      { files: services.files, objects: services, uuid: () => services.clock.uuid() },
      state.archive,
    )
    const written = await writePages(services, run, state, archive, new Map(sources.map((one) => [one.name, one.read])))
    return written.sources.length > 0
      ? { state: { ...written, archive: await archive.suspend() }, done: rowsIn(written.counts) }
      : finish(services, run, written, archive)
  })

const nameOf = (tenant: Tenant, beganAt: string): string => `${tenant.slug}-${beganAt.slice(0, 10)}.zip`

async function begin({ files, clock }: Dependencies, run: JobRun, sources: string[]): Promise<State> {
  const beganAt = isoTime(clock.now())
  const key = `exports/${run.tenant.id}/${run.id}/${nameOf(run.tenant, beganAt)}`
  const archive = await beginArchive(files, key, beganAt)
  return { archive, sources, cursor: null, counts: {}, contents: 0, checksums: [] }
}

type Readers = ReadonlyMap<string, Source['read']>

/** Writes pages until time is up or all sources are read, and then the checksums of the entries of this step. */
async function writePages(
  services: Dependencies,
  run: JobRun,
  state: State,
  archive: Archive,
  readers: Readers,
): Promise<State> {
  const entries: ArchivedEntry[] = []
  const counts: Counts = { ...state.counts }
  const pages = archivePages(archive, counts)
  let { cursor, contents } = state
  const sources = [...state.sources]
  for (let name = sources[0]; name !== undefined; name = sources[0]) {
    // A table that was deleted meanwhile has nothing more.
    const page: SourcePage = (await readers.get(name)?.(cursor)) ?? { rows: [], next: null }
    for await (const rows of page.rows) entries.push(...(await pages.add(rows)))
    for (const { path } of page.files ?? []) {
      const content = await services.listing.read(path)
      if (!content) continue
      entries.push(await archive.add(path, content))
      contents += 1
    }
    cursor = page.next
    if (cursor === null) sources.shift()
    if (run.timeIsUp()) break
  }
  entries.push(...(await pages.flush()))
  const lines = entries.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('')
  const number = String(state.checksums.length + 1).padStart(4, '0')
  const { name, sha256 } = await archive.add(`checksums-${number}.sha256`, lines)
  return { ...state, sources, cursor, counts, contents, checksums: [...state.checksums, { name, sha256 }] }
}

const rowsIn = (counts: Counts): number => Object.values(counts).reduce((sum, { rows }) => sum + rows, 0)

async function finish(services: Dependencies, run: JobRun, state: State, archive: Archive): Promise<JobStep<State>> {
  const { tenant } = run
  const { beganAt, key } = state.archive
  const counts = Object.fromEntries(Object.entries(state.counts).map(([name, { rows }]) => [name, rows]))
  const manifest = {
    format: 'tenant-export',
    version: 1,
    tenant: { slug: tenant.slug, name: tenant.name },
    began_at: beganAt,
    rows: counts,
    files: state.contents,
    checksums: state.checksums,
  }
  await archive.add('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`)
  const size = await archive.finish()
  const name = nameOf(tenant, beganAt)
  const result: TenantExport = {
    url: await services.files.downloadUrl(key, name, validSeconds),
    expires_at: isoTime(services.clock.now() + validSeconds * 1000),
    name,
    content_type: 'application/zip',
    size,
    rows: counts,
    files: state.contents,
  }
  const done = rowsIn(state.counts)
  return { ended: 'done', done, total: done, result }
}
