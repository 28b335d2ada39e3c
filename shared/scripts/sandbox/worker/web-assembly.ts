/** The parts of WebAssembly that we use. Node's types declare its types only, not its values. */
const { Memory, compile } = (globalThis as unknown as { WebAssembly: Values }).WebAssembly

/** The memory of an engine. Its buffer is another one when it has grown. */
export interface EngineMemory {
  readonly buffer: ArrayBuffer
}

interface Values {
  readonly Memory: new (pages: { initial: number; maximum: number }) => EngineMemory
  compile(code: Uint8Array): Promise<WebAssembly.Module>
}

const pagesPerMb = (1 << 20) / 65_536

export const createMemory = (mb: { readonly initial: number; readonly maximum: number }): EngineMemory =>
  new Memory({ initial: mb.initial * pagesPerMb, maximum: mb.maximum * pagesPerMb })

export const compileEngine = (code: Uint8Array): Promise<WebAssembly.Module> => compile(code)
