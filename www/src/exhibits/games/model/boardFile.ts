/**
 * Returns the file name of a picture of a position, without its ending. The name contains the position ID, but not the match ID, unless
 * the ID has a slash, which file names cannot contain.
 */
export function boardFile(world: string, id: string | null): string {
  const [position = ''] = id?.split(':') ?? []
  return /^[\w+]+$/.test(position) ? `${world}-${position}` : `${world}-board`
}
