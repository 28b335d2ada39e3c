/** The parts of WebAssembly that we use. Node's types declare its types only, not its values. */
const { Memory, compile } = (globalThis as unknown as { WebAssembly: Values }).WebAssembly

interface Values {
  readonly Memory: new (pages: { initial: number; maximum: number }) => object
  compile(code: Uint8Array): Promise<WebAssembly.Module>
}

const pagesPerMb = (1 << 20) / 65_536

export const createMemory = (mb: { readonly initial: number; readonly maximum: number }): object =>
  new Memory({ initial: mb.initial * pagesPerMb, maximum: mb.maximum * pagesPerMb })

export const compileEngine = (code: Uint8Array): Promise<WebAssembly.Module> => compile(code)
