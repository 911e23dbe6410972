import type { JSX } from 'preact';

/** A column of figures. */
export interface FigureColumn {
  readonly title: string;
  /** Left out on narrow screens. */
  readonly isWide?: boolean;
}

/** The titles of a table whose first column names the rows and whose others are figures. */
export function TableHead(props: {
  /** Title of the first column. */
  readonly first: string;
  readonly figures: readonly FigureColumn[];
}): JSX.Element {
  return (
    <thead>
      <tr>
        <th scope="col">{props.first}</th>
        {props.figures.map(({ title, isWide = false }) => (
          <th key={title} scope="col" class={isWide ? 'number wide' : 'number'}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
