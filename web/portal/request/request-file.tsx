import { useQuery } from '@tanstack/react-query'
import Paperclip from 'lucide-react/icons/paperclip'
import { fileName } from '../../api/files.ts'
import { requestFileQuery } from '../../api/portal.ts'

/** A link to a file of a request. */
export function RequestFile({ id, path }: { readonly id: number; readonly path: string }) {
  const { data } = useQuery(requestFileQuery(id, path))
  const isPicture = data?.content_type.startsWith('image/') === true && data.content_type !== 'image/svg+xml'
  return (
    <a
      className="file-link"
      href={data?.url}
      target="_blank"
      rel="noopener noreferrer"
      download={isPicture ? undefined : ''}
    >
      {isPicture ? <img src={data.url} alt="" loading="lazy" /> : <Paperclip size={16} aria-hidden />}
      <span>{fileName(path)}</span>
    </a>
  )
}
