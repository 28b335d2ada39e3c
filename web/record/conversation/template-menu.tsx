import { Button, Menu } from '@mantine/core'
import FileText from 'lucide-react/icons/file-text'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../../api/failures.ts'
import { type FilledTemplate, type ReplyOptions, useFillTemplate } from '../../api/replies.ts'

interface TemplateMenuProps {
  readonly model: string
  readonly id: number
  readonly templates: ReplyOptions['templates']
  readonly onFilled: (filled: FilledTemplate) => void
}

/** The texts for replies; the chosen one comes with the values of the record. */
export default function TemplateMenu({ model, id, templates, onFilled }: TemplateMenuProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const fill = useFillTemplate(model, id)
  return (
    <>
      <Menu position="top-start" returnFocus={false}>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<FileText size={14} aria-hidden />}
            loading={fill.isPending}
          >
            {t('composer.templates')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {templates.map((template) => (
            <Menu.Item key={template.id} onClick={() => fill.mutate(template.id, { onSuccess: onFilled })}>
              {template.name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {fill.error && (
        <span className="problem small" role="alert">
          {messageOf(fill.error)}
        </span>
      )}
    </>
  )
}
