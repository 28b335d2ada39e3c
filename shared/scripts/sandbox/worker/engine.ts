import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import {
  type EmscriptenModuleLoaderOptions,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten'
import { prelude } from './prelude.ts'
import { createMemory } from './web-assembly.ts'

/** An engine that has run the prelude and no script; it serves one run and is thrown away with all that is in it. */
export interface Engine {
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

/** What the package exports to an `import`; its types describe the `require`. */
const quickJsNg = variant as unknown as QuickJSSyncVariant
/** What the engine prints when it breaks down is told by the outcome. */
const silent = { print: () => {}, printErr: () => {} } as EmscriptenModuleLoaderOptions
/** What QuickJS's own limit does not count (texts on their way in and out) ends here. */
const memoryMb = { initial: 16, maximum: 128 }
/** Below what the thread's own stack holds (see `workerLimits`), so that QuickJS notices first. */
const stackBytes = 256 * 1024

/** A new WASM instance of the compiled engine: about 2 ms, spent while nobody waits. */
export async function prepareEngine(compiled: WebAssembly.Module): Promise<Engine> {
  const quickJs = await newQuickJSWASMModuleFromVariant(
    newVariant(quickJsNg, { wasmModule: compiled, wasmMemory: createMemory(memoryMb), emscriptenModule: silent }),
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
  const engine: Engine = { runtime, context, load, describe, dataText, valueText, answer: () => undefined }
  return engine
}
