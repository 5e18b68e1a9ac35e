/** How our pictures look, on light pages and on dark ones. */
export const STYLE: string = `<style>
svg { background: #fff; font: 22px sans-serif; }
.wall { fill: #b9c0cc; stroke: #4a5568; stroke-width: 2; }
.ray { fill: none; stroke: #d97706; stroke-width: 1.5; }
.box { fill: #fef3c7; stroke: #d97706; stroke-width: 2; }
.hit { fill: #b91c1c; }
text { fill: #1f2937; }
@media (prefers-color-scheme: dark) {
svg { background: #0d1117; }
.wall { fill: #3b4454; stroke: #94a3b8; }
.ray { stroke: #f59e0b; }
.box { fill: #3f3013; stroke: #f59e0b; }
.hit { fill: #ff7b72; }
text { fill: #e6edf3; }
}
</style>`;
