import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import {
  type EmscriptenModuleLoaderOptions,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import { prelude } from './prelude.ts'

/** An engine that has run the prelude only. It serves one run and is then discarded, or reset. */
export interface Engine {
  readonly memory: EngineMemory
  readonly runtime: QuickJSRuntime
  readonly context: QuickJSContext
  /** The prelude's functions. */
  readonly load: QuickJSHandle
  readonly describe: QuickJSHandle
  readonly dataText: QuickJSHandle
  readonly valueText: QuickJSHandle
  /** Answers the prelude's calls; the run sets it. */
  answer: (name: string, texts: readonly string[]) => string | undefined
}

/** The package's types describe its `require`, not its `import`. */
const quickJsNg = variant as unknown as QuickJSSyncVariant
/** Silences what the engine prints when it breaks down; the outcome says it. */
const silent = { print: () => {}, printErr: () => {} } as EmscriptenModuleLoaderOptions
/** Bounds what QuickJS's own limit does not count: texts on their way in and out. */
const memoryMb = { initial: 16, maximum: 128 }
/**
 * Less than the thread's own stack (`resourceLimits` in script-worker.ts), so that QuickJS detects an overflow first.
 */
export const stackBytes = 256 * 1024

/** Makes a new WASM instance of the compiled engine and runs the prelude. Takes about 2 ms. */
export async function prepareEngine(compiled: WebAssembly.Module): Promise<Engine> {
  const memory = createMemory(memoryMb)
  const quickJs = await newQuickJSWASMModuleFromVariant(
    newVariant(quickJsNg, { wasmModule: compiled, wasmMemory: memory, emscriptenModule: silent }),
  )
  const runtime = quickJs.newRuntime({ maxStackSizeBytes: stackBytes })
  const context = runtime.newContext()
  const host = context.newFunction('host', (name, ...texts) => {
    const answer = engine.answer(
      context.getString(name),
      texts.map((text) => context.getString(text)),
    )
    return answer === undefined ? context.undefined : context.newString(answer)
  })
  const start = context.unwrapResult(context.evalCode(prelude, 'prelude', { type: 'global' }))
  const functions = context.unwrapResult(context.callFunction(start, context.undefined, host))
  const [load, describe, dataText, valueText] = [0, 1, 2, 3].map((index) => context.getProp(functions, index)) as [
    QuickJSHandle,
    QuickJSHandle,
    QuickJSHandle,
    QuickJSHandle,
  ]
  const engine: Engine = { memory, runtime, context, load, describe, dataText, valueText, answer: () => undefined }
  return engine
}

/** The parts of WebAssembly that we use. Node's types declare its types only, not its values. */
const { Memory, compile } = (globalThis as unknown as { WebAssembly: Values }).WebAssembly

/** The memory of an engine. Its buffer is another one when it has grown. */
interface EngineMemory {
  readonly buffer: ArrayBuffer
}

interface Values {
  readonly Memory: new (pages: { initial: number; maximum: number }) => EngineMemory
  compile(code: Uint8Array): Promise<WebAssembly.Module>
}

const pagesPerMb = (1 << 20) / 65_536

const createMemory = (mb: { readonly initial: number; readonly maximum: number }): EngineMemory =>
  new Memory({ initial: mb.initial * pagesPerMb, maximum: mb.maximum * pagesPerMb })

export const compileEngine = (code: Uint8Array): Promise<WebAssembly.Module> => compile(code)
