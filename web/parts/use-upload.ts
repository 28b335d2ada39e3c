import { type ClipboardEvent, type DragEvent, useState } from 'react'
import { useMessageOf } from '../api/failures.ts'

/** Uploads files that are chosen, dropped or pasted. `zone`: the properties of what takes them. */
export function useUpload(upload: (file: File) => Promise<string>, onUploaded: (paths: readonly string[]) => void) {
  const messageOf = useMessageOf()
  const [isUploading, setUploading] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function run(files: readonly File[]): Promise<void> {
    if (files.length === 0) return
    setUploading(true)
    setFailure(undefined)
    try {
      onUploaded(await Promise.all(files.map(upload)))
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setUploading(false)
    }
  }

  return {
    isUploading,
    failure,
    add: (files: File | readonly File[] | null) =>
      void run(files === null ? [] : Array.isArray(files) ? files : [files as File]),
    zone: {
      onDragOver: (event: DragEvent) => event.preventDefault(),
      onDrop(event: DragEvent) {
        event.preventDefault()
        void run([...event.dataTransfer.files])
      },
      onPaste(event: ClipboardEvent) {
        const files = [...event.clipboardData.files]
        if (files.length === 0) return
        event.preventDefault()
        void run(files)
      },
    },
  }
}
