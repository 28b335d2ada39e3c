import type { HttpApi } from '../gateway/gateway.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { CallCount } from '../sdk/call-record.ts'
import type { Fault, FaultPoint } from '../sdk/faults/fault-point.ts'
import type { Meter } from '../sdk/meter/meter.ts'

export interface LocalCloudOptions {
  /** The stacks of the application. */
  readonly templateFiles: readonly string[]
  /** Contains a folder `asset.<hash>` for each bundle. */
  readonly assetDirectory: string
  /** The folder that holds the code of such a folder. Default: the folder itself. */
  readonly codeOf?: (assetFolder: string) => Promise<string>
  /** Addresses that this machine answers beside the API. */
  readonly pages?: HttpApi['pages']
  /** 0: any free port. */
  readonly port: number
  /** `:memory:` keeps nothing. */
  readonly dataDirectory: string
  /** Wait for the disk before an answer. Default true; false still survives a killed process. */
  readonly sync?: boolean
  /** Values of the template's parameters. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Variables for every function, in addition to those of the template. */
  readonly environment?: Readonly<Record<string, string>>
  /** The providers' clock, in ms since the epoch. */
  readonly now?: () => number
  /**
   * `aws`: as slow, unordered and repeating as AWS. Waiting costs no time: `idle` and `advance` move the clock, which
   * functions see as well. Default `fast`.
   */
  readonly timing?: 'fast' | 'aws'
  /** How many instances each function has, which share its invocations. Default 1. */
  readonly instances?: number
  /** How much later the first invocation of an instance begins. Default 0, with the timing of AWS 300. */
  readonly coldStartMs?: number
  /** Repeats the random choices of `aws`. Default: another one each time. */
  readonly seed?: number
  readonly faults?: readonly Fault[]
  /** Requests to `url` wait until `acceptRequests`, so that the service can be prepared first. */
  readonly holdsRequests?: boolean
  /** Records provider calls from the start; see `callsOf`. */
  readonly recordCalls?: boolean
  /** Upper limit for the batching windows of event sources. */
  readonly maxBatchingWindowMs?: number
  /** Receives what functions print. Default: it goes to this process's stdout and stderr. */
  readonly onOutput?: (functionName: string, text: string) => void
  /** Receives failures of functions. Default: one JSON line each on stderr. */
  readonly log?: (entry: object) => void
}

export interface LocalCloud {
  /** e.g. `http://localhost:3000` */
  readonly url: string
  readonly port: number
  readonly functions: readonly string[]
  readonly tables: readonly string[]
  readonly buckets: readonly string[]
  /** Scripts failures between functions and providers. */
  readonly faults: Pick<FaultPoint, 'inject' | 'clear'>
  /**
   * Invokes a function by name, logical id or an unambiguous prefix (`due-sweeper`). Returns its result, as JSON
   * would.
   */
  invoke(functionName: string, event?: unknown): Promise<unknown>
  /** Lets waiting and new requests in. */
  acceptRequests(): void
  /** A second address that serves requests at once, to prepare the service while `url` holds them. */
  openSetupEndpoint(): Promise<{ readonly url: string; close(): Promise<void> }>
  /** Options for an SDK client of a test or tool. */
  clientOptions(service: string): Record<string, unknown>
  /**
   * Serves tables, queues, objects and functions to tools on this machine. Returns the address, which contains a
   * secret.
   */
  serveTools(): Promise<string>
  /** Starts or stops recording provider calls. Forgets the calls recorded before. */
  recordCalls(recording?: boolean): void
  /** The recorded calls of one HTTP request (`apigw-requestid` of its response) or invocation, or all. */
  callsOf(requestId?: string): CallCount
  /** What left the service: mails, text messages, webhooks, records of streams. */
  readonly outbox: Pick<Outbox, 'list' | 'clear'>
  /** Counts what each function uses, in the quantities that AWS bills. */
  readonly meter: Pick<Meter, 'start' | 'stop'>
  /** What repeats the random choices of this cloud. */
  readonly seed: number
  /** The time of the cloud, in ms since the epoch. */
  now(): number
  /** Lets `ms` pass at once. What falls due meanwhile happens in its order; resolves when no invocation is in flight. */
  advance(ms: number): Promise<void>
  /**
   * Resolves when functions, streams and queues have no work left; delayed messages do not count. With the timing
   * of AWS the clock moves to whatever they wait for. Rejects with the names of what is busy.
   */
  idle(timeoutMs?: number): Promise<void>
  /** Imports the bundles that were not imported yet. Logs those that fail. */
  warm(): Promise<void>
  /** Takes at most 2 s; no answered write is lost. */
  stop(): Promise<void>
}
