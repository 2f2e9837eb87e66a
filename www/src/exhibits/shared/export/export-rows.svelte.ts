/** Rows of the export menu: checkpoint, network, files of the family, metrics, pictures, videos and charts. */
import { StartError } from '../../../engine/page/error'
import type { MenuRow } from '../../../kit/MenuPanel.svelte'
import { download } from '../../../lib/files'
import { bytes as size } from '../../../lib/format'
import { useLab } from '../../../state/context'
import { afterFirstView } from '../../../state/first-view'
import { toasts, type ActivityToast } from '../../../state/toasts.svelte'
import type { ExportRow, FileFormat, LoadExports } from './formats'
import { LoadedPart } from './loaded-part.svelte'

async function save(format: FileFormat): Promise<void> {
  let activity = null as ActivityToast | null
  const busy = (message: string): void => {
    activity ??= toasts.activity('busy', message)
    activity.message = message
  }
  try {
    const file = await format.make(busy)
    if (!file) return
    download(file.bytes, file.name, file.mime)
    toasts.report(`Saved ${file.name}`, file.note ?? size(file.bytes.length))
  } catch (problem) {
    // The exporter was not loaded; the request itself is valid.
    const retry = { label: 'Try again', run: () => void save(format) }
    toasts.error(problem, problem instanceof StartError ? retry : null)
  } finally {
    activity?.close()
  }
}

/**
 * Loads the rows of the export menu after the first view. `own`: returns the loader of the kinds of export of the exhibit's
 * family. `open`: opens the menu, when its rows are loaded after a failure. Call it while a component is initialized.
 */
export function useExportRows(
  own: () => LoadExports | undefined,
  open: () => void,
): {
  readonly ready: boolean
  rows(): MenuRow[]
} {
  const lab = useLab()
  let part = $state.raw<LoadedPart<() => readonly ExportRow[]> | null>(null)
  $effect(() => {
    const load = own()
    const parts = () => Promise.all([import('./kinds'), load?.()])
    part = new LoadedPart(async () => {
      const [kinds, family] = await afterFirstView(parts, 'The export')
      return () => kinds.exportRows(lab, family?.exports ?? [])
    })
  })
  const exportRows = (): readonly ExportRow[] => {
    const now = part
    return now?.get(() => now === part && open())?.() ?? []
  }
  return {
    get ready() {
      return lab.exhibitReady && part !== null && part.isSettled
    },
    rows: () =>
      exportRows().map(({ label, detail, formats }) => ({
        label,
        detail,
        items: formats.map((format) => ({
          name: format.name,
          testid: format.testid,
          act: () => save(format),
          ...(format.checked !== undefined && { checked: format.checked }),
        })),
      })),
  }
}
