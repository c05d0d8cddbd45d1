//! Plots as SVG: bars, points and lines over slots from left to right, above a grid of horizontal lines.

use std::fmt::{Display, Write};
use std::ops::Range;

use crate::xml::escaped;

/// Size and style of a plot.
pub(crate) struct Layout {
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    /// Size of the axes' texts.
    pub font: f64,
    /// Attributes of the axes' texts.
    pub axis_text: &'static str,
    /// Attributes of the lines of the grid.
    pub axis_line: &'static str,
}

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
    layout: Layout,
    /// Width of a slot.
    pub slot: f64,
    svg: String,
}

impl Plot {
    /// Begins a plot of a number of slots. Texts are escaped; attributes are written as they are.
    pub(crate) fn new(layout: Layout, slots: usize, attributes: &str, title: &str) -> Plot {
        let Layout { width, height, .. } = layout;
        let svg = begin(width, height, attributes, title);
        let slot = (width - layout.left - layout.right) / slots.max(1) as f64;
        Plot { layout, slot, svg }
    }

    /// Appends an element.
    pub(crate) fn write(&mut self, element: impl Display) {
        writeln!(self.svg, "{element}").expect("writing to a String cannot fail");
    }

    /// The plot as text.
    pub(crate) fn finish(mut self) -> String {
        self.write("</svg>");
        self.svg
    }

    /// The centre of a slot, counted from 0.
    pub(crate) fn x(&self, slot: f64) -> f64 {
        self.layout.left + (slot + 0.5) * self.slot
    }

    fn y(&self, share: f64) -> f64 {
        let Layout {
            top,
            bottom,
            height,
            ..
        } = self.layout;
        top + (height - top - bottom) * (1.0 - share)
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
        let (at, y, label) = (&self.layout, self.y(share), escaped(label));
        let (left, end, axis_line, axis_text) =
            (at.left, at.width - at.right, at.axis_line, at.axis_text);
        let (x, base) = (left - 8.0, y + at.font / 3.0);
        self.write(format_args!(
            "<path d=\"M{left} {y:.1}H{end}\"{axis_line}/>\
             <text x=\"{x}\" y=\"{base:.1}\" text-anchor=\"end\"{axis_text}>{label}</text>"
        ));
    }

    /// Writes the label of a slot below it.
    pub(crate) fn label(&mut self, slot: usize, label: &str) {
        let (at, x) = (&self.layout, self.x(slot as f64));
        let y = at.height - at.bottom + (1.5 * at.font).floor();
        let attributes = format!(r#" text-anchor="middle"{}"#, at.axis_text);
        self.text(format_args!("{x:.1}"), y, &attributes, label);
    }

    /// Writes a bar that explains itself.
    pub(crate) fn bar(&mut self, slot: usize, shares: Range<f64>, attributes: &str, about: &str) {
        let (x, y, about) = (self.x(slot as f64), self.y(shares.end), escaped(about));
        let (left, width) = (x - self.slot * 0.4, self.slot * 0.8);
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
        let (x, y, half) = (self.x(slot as f64), self.y(share), self.slot * 0.4);
        let (left, right) = (x - half, x + half);
        self.write(format_args!(
            r#"<path d="M{left:.1} {y:.1}H{right:.1}"{attributes}/>"#
        ));
    }
}
