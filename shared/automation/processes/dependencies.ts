import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Store } from '../../platform/store/store.ts'
import type { RecordDependencies } from '../../records/records/dependencies.ts'
import type { HookContext } from '../../records/records/hooks/run-hook.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import type { CompiledProcess } from '../bpmn/shapes/compiled-process.ts'
import type { Decide } from '../decisions/evaluate/decide.ts'

/** Objects: states of instances that are too large for an item, and long history entries. */
export interface ProcessObjects {
  fetchObject(key: string): Promise<Uint8Array>
  putObject(key: string, body: Uint8Array): Promise<void>
}

/** What processes need. */
export interface ProcessDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly config: Config
  readonly tables: Tables
  /** What record writes need. */
  readonly records: RecordDependencies
  /** Imports the script sandbox and its access to records, on first use. */
  readonly openScripts: () => Promise<HookContext>
  readonly objects: ProcessObjects
  /** Evaluates decisions. */
  readonly decide: Decide
  /** The time zone of a tenant, by whose clocks cron schedules go. */
  readonly timeZone: (tenant: Tenant) => Promise<string>
  /** Has the runner advance an instance after a delay of at most 15 minutes. */
  readonly wakeLater: (tenant: TenantRef, instanceId: number, delaySeconds: number) => Promise<void>
}

/** Reads the compiled process of a template's version. */
export type OpenProcess = (tenant: TenantRef, templateId: number, version: number) => Promise<CompiledProcess>

/** What steps of instances need. */
export interface AdvanceDependencies extends ProcessDependencies {
  readonly openProcess: OpenProcess
  /** How long a lease on an instance lasts: longer than any piece of work takes. */
  readonly leaseMs: number
}
