/** How our pictures look. */
export const STYLE: string = `<style>
svg { background: #fff; font: 22px sans-serif; }
.wall { fill: #b9c0cc; stroke: #4a5568; stroke-width: 2; }
.ray { fill: none; stroke: #d97706; stroke-width: 1.5; }
.box { fill: #fef3c7; stroke: #d97706; stroke-width: 2; }
.hit { fill: #b91c1c; }
text { fill: #1f2937; }
</style>`;
