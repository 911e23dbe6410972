import type { ComponentChildren, JSX } from 'preact';

/** A part of the page with its heading. */
export function Section(props: {
  readonly id: string;
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { id, title, aside, children } = props;
  return (
    <section class={`section ${id}`} aria-labelledby={`${id}-title`}>
      <header class="section-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {aside !== undefined && <p class="aside">{aside}</p>}
      </header>
      {children}
    </section>
  );
}
