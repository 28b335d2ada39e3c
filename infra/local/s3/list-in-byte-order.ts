interface StoredObject {
  readonly key: string
}

/** The part of the object store of fauxqs that lists objects. */
export interface ListingStore {
  readonly buckets: ReadonlyMap<string, ReadonlyMap<string, StoredObject>>
  listObjects(bucket: string, options?: ListOptions): Listed
}
interface ListOptions {
  readonly prefix?: string
  readonly delimiter?: string
  readonly maxKeys?: number
  readonly startAfter?: string
  readonly marker?: string
}
interface Listed {
  readonly objects: readonly StoredObject[]
  readonly commonPrefixes: readonly string[]
  readonly isTruncated: boolean
}

/**
 * Lists in the order of UTF-8 bytes, as S3 does. fauxqs sorts by language rules and continues by code units, so that its
 * pages repeat objects and leave others out. Lists with a delimiter remain those of fauxqs: the service makes none.
 */
export function listInByteOrder(store: ListingStore): void {
  const original = store.listObjects.bind(store)
  store.listObjects = (bucket, options = {}) => {
    const stored = store.buckets.get(bucket)
    if (!stored || options.delimiter) return original(bucket, options)
    const { prefix = '', maxKeys = 1000, startAfter, marker } = options
    const after = Buffer.from(startAfter ?? marker ?? '')
    const found = [...stored.values()]
      .filter(({ key }) => key.startsWith(prefix))
      .map((object) => ({ object, bytes: Buffer.from(object.key) }))
      .filter(({ bytes }) => after.length === 0 || bytes.compare(after) > 0)
      .sort((a, b) => a.bytes.compare(b.bytes))
    return {
      objects: found.slice(0, maxKeys).map(({ object }) => object),
      commonPrefixes: [],
      isTruncated: found.length > maxKeys,
    }
  }
}
