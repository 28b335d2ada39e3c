import type { CompiledProcess } from '../definition/compiled-process.ts'
import type { Advance, Command, EngineHost, EngineState } from './schema.ts'
// placeholder until the engine lands
export declare function startProcess(compiled: CompiledProcess, host: EngineHost, variables?: Readonly<Record<string, unknown>>): Promise<Advance>
export declare function advanceProcess(compiled: CompiledProcess, host: EngineHost, state: EngineState, commands: readonly Command[]): Promise<Advance>
