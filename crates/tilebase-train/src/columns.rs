//! The first layer as a sum of columns: one column for each cell of the board. This avoids a
//! matrix product with an input that is nearly all zeros.

use candle_core::{CpuStorage, CustomOp2, Error, Layout, Result, Shape, Tensor};

/// Sums some rows of a matrix for each board. The shapes are `[boards, cells]` for the indices of
/// the rows, `[rows, width]` for the matrix, and `[boards, width]` for the sums.
pub(crate) struct SumColumns;

impl CustomOp2 for SumColumns {
    fn name(&self) -> &'static str {
        "columns"
    }

    fn cpu_fwd(
        &self,
        rows: &CpuStorage,
        rows_layout: &Layout,
        matrix: &CpuStorage,
        matrix_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (boards, cells) = rows_layout.shape().dims2()?;
        let (_, width) = matrix_layout.shape().dims2()?;
        let rows = contiguous(rows.as_slice::<u32>()?, rows_layout)?;
        let matrix = contiguous(matrix.as_slice::<f32>()?, matrix_layout)?;
        let mut sums = vec![0f32; boards * width];
        for (sum, rows) in sums.chunks_exact_mut(width).zip(rows.chunks_exact(cells)) {
            for &row in rows {
                let row = &matrix[row as usize * width..][..width];
                sum.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
        }
        Ok((CpuStorage::F32(sums), (boards, width).into()))
    }

    fn bwd(
        &self,
        rows: &Tensor,
        matrix: &Tensor,
        _: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let gradient = gradient.contiguous()?;
        let scattered = rows.apply_op2_no_bwd(&gradient, &Scatter { rows: matrix.dim(0)? })?;
        Ok((None, Some(scattered)))
    }
}

/// The backward pass: adds each board's gradient to the rows that were summed for the board.
struct Scatter {
    rows: usize,
}

impl CustomOp2 for Scatter {
    fn name(&self) -> &'static str {
        "scatter"
    }

    fn cpu_fwd(
        &self,
        rows: &CpuStorage,
        rows_layout: &Layout,
        gradient: &CpuStorage,
        gradient_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (_, cells) = rows_layout.shape().dims2()?;
        let (_, width) = gradient_layout.shape().dims2()?;
        let rows = contiguous(rows.as_slice::<u32>()?, rows_layout)?;
        let gradient = contiguous(gradient.as_slice::<f32>()?, gradient_layout)?;
        let mut sums = vec![0f32; self.rows * width];
        for (gradient, rows) in gradient.chunks_exact(width).zip(rows.chunks_exact(cells)) {
            for &row in rows {
                let sum = &mut sums[row as usize * width..][..width];
                sum.iter_mut().zip(gradient).for_each(|(sum, part)| *sum += part);
            }
        }
        Ok((CpuStorage::F32(sums), (self.rows, width).into()))
    }
}

fn contiguous<'a, T>(values: &'a [T], layout: &Layout) -> Result<&'a [T]> {
    let (start, end) = layout
        .contiguous_offsets()
        .ok_or_else(|| Error::RequiresContiguous { op: "columns" }.bt())?;
    Ok(&values[start..end])
}
