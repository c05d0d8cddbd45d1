//! Plots as SVG: bars, points and lines over slots from left to right, above a grid of horizontal lines.

use std::fmt::Display;
use std::ops::Range;

use crate::xml::escaped;

/// Width of a plot, and the space beside and below its slots.
pub(crate) const WIDTH: f64 = 960.0;
pub(crate) const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
pub(crate) const BOTTOM: f64 = 64.0;

/// The beginning of a picture, with a title that is read aloud. The title is escaped; attributes are written as they are.
pub(crate) fn begin(width: f64, height: f64, attributes: &str, title: &str) -> String {
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\"{attributes}>\n\
         <title>{title}</title>\n"
    )
}

/// A plot that is being written. Heights are shares of the vertical axis, from 0 to 1.
pub(crate) struct Plot {
    height: f64,
    /// Space above the slots.
    top: f64,
    slots: usize,
    svg: String,
}

impl Plot {
    /// Begins a plot of a number of slots. Texts are escaped; attributes are written as they are.
    pub(crate) fn new(height: f64, top: f64, slots: usize, attributes: &str, title: &str) -> Plot {
        Plot {
            height,
            top,
            slots: slots.max(1),
            svg: begin(WIDTH, height, attributes, title),
        }
    }

    /// Appends an element.
    pub(crate) fn write(&mut self, element: impl Display) {
        self.svg += &format!("{element}\n");
    }

    /// The plot as text, with the name of the horizontal axis.
    pub(crate) fn finish(mut self, axis: &str) -> String {
        let centre = LEFT + (WIDTH - LEFT - RIGHT) / 2.0;
        self.text(centre, self.height - 14.0, r#" text-anchor="middle""#, axis);
        self.write("</svg>");
        self.svg
    }

    /// The centre of a slot, counted from 0.
    pub(crate) fn x(&self, slot: f64) -> f64 {
        LEFT + (slot + 0.5) * self.slot()
    }

    fn y(&self, share: f64) -> f64 {
        self.top + (self.height - self.top - BOTTOM) * (1.0 - share)
    }

    /// Width of a slot.
    fn slot(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / self.slots as f64
    }

    /// Writes a text at a point.
    pub(crate) fn text(&mut self, x: impl Display, y: impl Display, attributes: &str, text: &str) {
        let text = escaped(text);
        self.write(format_args!(
            r#"<text x="{x}" y="{y}"{attributes}>{text}</text>"#
        ));
    }

    /// Writes a line of the grid with its label at the left.
    pub(crate) fn grid(&mut self, share: f64, label: &str) {
        let (y, end, x) = (self.y(share), WIDTH - RIGHT, LEFT - 8.0);
        let style = r##" text-anchor="end" fill="#666""##;
        self.svg += &format!(r##"<path d="M{LEFT} {y:.1}H{end}" stroke="#ddd"/>"##);
        self.text(x, format_args!("{:.1}", y + 5.0), style, label);
    }

    /// Writes the label of a slot below it: of few slots all, else some of them and the last.
    pub(crate) fn label(&mut self, slot: usize, label: &str) {
        let step = match self.slots {
            ..=16 => 1,
            17..=80 => 5,
            _ => 10,
        };
        if slot.is_multiple_of(step) || slot + 1 == self.slots {
            let (x, y) = (self.x(slot as f64), self.height - BOTTOM + 22.0);
            let style = r##" text-anchor="middle" fill="#666""##;
            self.text(format_args!("{x:.1}"), y, style, label);
        }
    }

    /// Writes a bar that explains itself.
    pub(crate) fn bar(&mut self, slot: usize, shares: Range<f64>, attributes: &str, about: &str) {
        let (x, y, about) = (self.x(slot as f64), self.y(shares.end), escaped(about));
        let (left, width) = (x - self.slot() * 0.4, self.slot() * 0.8);
        let height = self.y(shares.start) - y;
        self.write(format_args!(
            r#"<rect x="{left:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"{attributes}><title>{about}</title></rect>"#
        ));
    }

    /// Writes a point that explains itself.
    pub(crate) fn point(&mut self, slot: usize, share: f64, attributes: &str, about: &str) {
        let (x, y, about) = (self.x(slot as f64), self.y(share), escaped(about));
        self.write(format_args!(
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="3"{attributes}><title>{about}</title></circle>"#
        ));
    }

    /// Writes a horizontal line over a slot.
    pub(crate) fn mark(&mut self, slot: usize, share: f64, attributes: &str) {
        let (x, y, half) = (self.x(slot as f64), self.y(share), self.slot() * 0.4);
        let (left, right) = (x - half, x + half);
        self.write(format_args!(
            r#"<path d="M{left:.1} {y:.1}H{right:.1}"{attributes}/>"#
        ));
    }
}
