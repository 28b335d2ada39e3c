import type { Clock } from '../kernel/clock.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import type { RecordDependencies, HookParts } from '../records/service.ts'
import type { Config } from '../store/config.ts'
import type { Store } from '../store/table.ts'
import type { Tables } from '../tables/service.ts'
import type { CompiledProcess } from './definition/compiled-process.ts'

/** Where states of processes go that are too large for a row, and where long history entries are read. */
export interface ProcessObjects {
  fetchObject(key: string): Promise<Uint8Array>
  putObject(key: string, body: Uint8Array): Promise<void>
}

/** What processes work with. */
export interface ProcessDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly config: Config
  readonly tables: Tables
  /** What writes of records work with. */
  readonly records: RecordDependencies
  /** The sandbox, and records as its scripts reach them; loaded by the first process that needs it. */
  readonly openScripts: () => Promise<HookParts>
  readonly objects: ProcessObjects
  /** Brings an instance to the runner after a while, at most 15 minutes: a timer of it is due then. */
  readonly wakeLater: (tenant: TenantRef, instanceId: number, delaySeconds: number) => Promise<void>
}

/** The compiled process of a template's version. */
export type OpenProcess = (tenant: TenantRef, templateId: number, version: number) => Promise<CompiledProcess>

/** What steps of instances work with. */
export interface AdvanceDependencies extends ProcessDependencies {
  readonly openProcess: OpenProcess
  /** How long nobody else works on an instance after a piece of work in it began: longer than any takes. */
  readonly leaseMs: number
}
